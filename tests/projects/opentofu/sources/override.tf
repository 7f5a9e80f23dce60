variable "machines" {
  default = 50
}
