import { setTheme, useTheme, type Theme } from '../../lib/theme.js';

const themes: readonly { readonly value: Theme; readonly label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

/** Chooses the colors; hidden where scripts are off, as the device's own choice then holds. */
export function ThemeSwitch() {
  const chosen = useTheme();
  return (
    // Browsers restore form fields on reload, which React would take for a difference. Outside of a dialog it submits nothing.
    <form className="theme-form" method="dialog" autoComplete="off">
      <fieldset className="theme-switch">
        <legend>Colors</legend>
        {themes.map(({ value, label }) => (
          <label key={value}>
            <input
              type="radio"
              name="theme"
              value={value}
              checked={chosen === value}
              onChange={() => setTheme(value)}
            />
            <span>{label}</span>
          </label>
        ))}
      </fieldset>
    </form>
  );
}
