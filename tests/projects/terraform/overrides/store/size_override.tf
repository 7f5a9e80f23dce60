output "all" {
  value = { name = upper(var.name), size = "${var.size} GiB", flags = join("+", var.flags) }
}
