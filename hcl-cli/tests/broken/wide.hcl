title = "日本語" + "é́" 	oops
	tabbed = 1 2
