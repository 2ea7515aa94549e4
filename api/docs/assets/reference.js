/** The paths that name a format are a group of their own, which is folded until a link leads into it. */
const FormatsApart = () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        updateJsonSpec: (update, system) => (spec) => {
          for (const [path, { get }] of Object.entries(spec.paths))
            if (/\.\w+$/.test(path)) get.tags = ['formats'];
          const description = 'The requests of the archive in one format, whatever `Accept` says.';
          const tags = spec.tags.toSpliced(1, 0, { name: 'formats', description });
          const payload = { thing: ['operations-tag', 'formats'], shown: location.hash.startsWith('#/formats') };
          // The action itself would also change the address.
          system.getStore().dispatch({ type: 'layout_show', payload });
          return update({ ...spec, tags });
        },
      },
    },
  },
});

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
  layout: 'ReferenceLayout',
  plugins: [FormatsApart, ReferenceLayout],
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
