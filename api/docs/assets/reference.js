window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  requestSnippetsEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // The validator is a service on another host.
  validatorUrl: null,
});

// Swagger UI leaves its fields unnamed, and a keyboard can scroll only focusable elements.
const reference = document.getElementById('reference');
const complete = () => {
  for (const field of reference.querySelectorAll(':is(input, select, textarea):not([aria-label])'))
    field.setAttribute('aria-label', field.closest('[data-param-name]')?.dataset.paramName ?? 'Form of the answer');
  for (const block of reference.querySelectorAll('.microlight:not([tabindex])')) block.tabIndex = 0;
};
new MutationObserver(complete).observe(reference, { childList: true, subtree: true });
