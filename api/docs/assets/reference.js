/** Swagger UI's own layout has a second `main` element, and its headings skip the second level. */
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
  // Only text: Swagger UI puts the link to an operation inside the button that opens the operation.
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
  // The paths that name a format are folded unless the address leads to one. Swagger UI's own action would change the address.
  onComplete: () =>
    getStore().dispatch({
      type: 'layout_show',
      payload: { thing: ['operations-tag', 'formats'], shown: location.hash.startsWith('#/formats') },
    }),
});

// Swagger UI gives fields no accessible names, and buttons other names than their text. Keyboards scroll only focusable elements.
const reference = document.getElementById('reference');
const complete = () => {
  for (const field of reference.querySelectorAll(':is(input, select, textarea):not([aria-label])'))
    field.setAttribute('aria-label', field.closest('[data-param-name]')?.dataset.paramName ?? 'Form of the answer');
  reference.querySelector('.close-modal')?.setAttribute('aria-label', 'Close');
  for (const button of reference.querySelectorAll('.modal-btn')) button.removeAttribute('aria-label');
  for (const block of reference.querySelectorAll('.microlight:not([tabindex])')) block.tabIndex = 0;
};
new MutationObserver(complete).observe(reference, { childList: true, subtree: true });
