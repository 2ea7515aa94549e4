// Light or dark: as the system prefers, until the reader chooses the other. It runs before the first paint.
{
  const NAME = 'color-scheme';
  const system = matchMedia('(prefers-color-scheme: dark)');
  const ofSystem = () => (system.matches ? 'dark' : 'light');
  const shown = () => localStorage.getItem(NAME) ?? ofSystem();
  const apply = () => {
    const { classList } = document.documentElement;
    // Swagger UI, too, has its dark style under this class.
    classList.toggle('dark-mode', shown() === 'dark');
    classList.toggle('light-mode', shown() === 'light');
  };
  apply();
  system.addEventListener('change', apply);
  // Another tab of this browser has switched.
  addEventListener('storage', apply);
  addEventListener('click', ({ target }) => {
    if (!target.closest('.color-switch')) return;
    const next = shown() === 'dark' ? 'light' : 'dark';
    if (next === ofSystem()) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, next);
    apply();
  });
}
