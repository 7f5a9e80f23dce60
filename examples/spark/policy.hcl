# Is a resource in order? Names are columns of the inventory, but for `limits`.
allowed = size <= limits[kind] && (!public || kind == "website") && startswith(region, "eu-")

# How large resources of a kind may be. A kind that is absent here makes the rule fail, which is no answer, unless another part
# of it says no.
limits = {
  bucket  = 5000
  disk    = 1000
  website = 100
}
