/** Swagger UI's own layout is a `main` inside that of the page, and goes from the first level of headings to the third. */
const ReferenceLayout = ({ React }) => ({
  components: {
    ReferenceLayout: ({ getComponent, specSelectors }) => {
      const show = (name) => React.createElement(getComponent(name, true));
      if (specSelectors.loadingStatus() !== 'success') return show('errors');
      const parts = ['InfoContainer', 'AuthorizeBtnContainer', 'operations', 'Models'].map(show);
      parts.splice(1, 0, React.createElement('h2', { className: 'visually-hidden' }, 'Requests'));
      return React.createElement('div', { className: 'swagger-ui' }, ...parts);
    },
  },
  // Its link to an operation is inside the button that opens it.
  wrapComponents: {
    DeepLink:
      () =>
      ({ text }) =>
        React.createElement('span', null, text),
  },
});

const { getStore } = window.SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  requestSnippetsEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // The validator is a service on another host.
  validatorUrl: null,
  layout: 'ReferenceLayout',
  plugins: [ReferenceLayout],
  // The paths that name a format are folded until a link leads into them. An action would also change the address.
  onComplete: () =>
    getStore().dispatch({
      type: 'layout_show',
      payload: { thing: ['operations-tag', 'formats'], shown: location.hash.startsWith('#/formats') },
    }),
});

// Swagger UI leaves its fields unnamed and gives buttons names that they do not show; a keyboard can scroll only focusable
// elements.
const reference = document.getElementById('reference');
const complete = () => {
  for (const field of reference.querySelectorAll(':is(input, select, textarea):not([aria-label])'))
    field.setAttribute('aria-label', field.closest('[data-param-name]')?.dataset.paramName ?? 'Form of the answer');
  reference.querySelector('.close-modal')?.setAttribute('aria-label', 'Close');
  for (const button of reference.querySelectorAll('.modal-btn')) button.removeAttribute('aria-label');
  for (const block of reference.querySelectorAll('.microlight:not([tabindex])')) block.tabIndex = 0;
};
new MutationObserver(complete).observe(reference, { childList: true, subtree: true });
