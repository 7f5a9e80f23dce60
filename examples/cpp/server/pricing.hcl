# What an order costs. `order` is what a customer sent, as JSON.

total = sum(concat([0], [for item in order.items : item.price * item.count]))
price = {
  customer = order.customer
  total    = local.total * (contains(["ann", "bob"], order.customer) ? 0.9 : 1)
}
