service
{
  port = 80
}
