{"aps":{"alert":"Dinner is ready"}}

  an ünusual line
