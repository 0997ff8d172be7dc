// The operations of the API, as Swagger UI shows them.
"use strict";

const place = document.getElementById("api-docs");
window.SwaggerUIBundle({
  url: place.dataset.schema,
  domNode: place,
  deepLinking: true,
  docExpansion: "none",
  tryItOutEnabled: true,
  validatorUrl: null,
});
