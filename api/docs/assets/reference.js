/** Folds the paths that name a format below the one that lets `Accept` choose; a link to one of them unfolds all. */
const FoldedFormats = () => {
  const format = /\.\w+$/;
  const isLinked = /As[A-Z]\w+$/.test(location.hash);
  const unfolded = new Set();
  const listeners = new Set();
  return {
    wrapComponents: {
      OperationContainer: (Original, { React, specSelectors }) => {
        // Swagger UI looks here for what it takes from its state.
        Operation.prototype.mapStateToProps = Original.prototype.mapStateToProps;
        return Operation;

        function Operation(props) {
          const [, render] = React.useReducer((count) => count + 1, 0);
          React.useEffect(() => {
            listeners.add(render);
            return () => listeners.delete(render);
          }, []);
          const { path } = props;
          const base = path.replace(format, '');
          const isUnfolded = isLinked || unfolded.has(base);
          const operation = React.createElement(Original, props);
          if (path !== base) return isUnfolded ? operation : null;
          const formats = [...specSelectors.paths().keys()].filter((each) => each.startsWith(`${path}.`));
          if (formats.length === 0 || isLinked) return operation;
          const toggle = () => {
            if (!unfolded.delete(path)) unfolded.add(path);
            for (const update of listeners) update();
          };
          const text = `In one format: ${formats.map((each) => each.slice(path.length)).join(' ')}`;
          const button = { type: 'button', className: 'formats', 'aria-expanded': isUnfolded, onClick: toggle };
          return React.createElement(
            React.Fragment,
            null,
            operation,
            React.createElement('button', button, text),
          );
        }
      },
    },
  };
};

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
  plugins: [FoldedFormats, ReferenceLayout],
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
