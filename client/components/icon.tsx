/** Small signs that stand in a line of text or a control, 20 by 20. */
const shapes = {
  external: <path d="M8 5H5v10h10v-3M11 4h5v5M16 4l-7 7" />,
  chevron: <path d="m5 8 5 5 5-5" />,
  back: <path d="M16 10H4m5-5-5 5 5 5" />,
  forward: <path d="M4 10h12m-5-5 5 5-5 5" />,
  menu: <path d="M3 6.5h14M3 13.5h14" />,
  close: <path d="m5 5 10 10M15 5 5 15" />,
  alert: <path d="M10 3 2.5 16.5h15zM10 8v4M10 14.3v.1" />,
  check: <path d="m4 10.5 4 4 8-9" />,
  person: <path d="M10 9.5a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4M3.5 17c.6-3.2 3.2-5 6.5-5s5.9 1.8 6.5 5" />,
  phone: (
    <path d="M7 3H4.5C3.7 3 3 3.7 3 4.5 3 11.4 8.6 17 15.5 17c.8 0 1.5-.7 1.5-1.5V13l-4-1.5-1.5 2c-2-1-3.5-2.5-4.5-4.5l2-1.5z" />
  ),
  shield: <path d="M10 2.5l6 2.3v4.2c0 4-2.5 6.7-6 8.5-3.5-1.8-6-4.5-6-8.5V4.8zM7.3 10l2 2 3.7-4" />,
  linkedin: (
    <>
      <path d="M4.5 8v8M8.5 16V8M8.5 11.5c0-2 1.5-3.5 3.5-3.5s3.5 1.3 3.5 3.5V16" />
      <path d="M4.5 4.3v.2" />
    </>
  ),
  facebook: <path d="M14.5 3H12.5C10.6 3 9.5 4.3 9.5 6.2V17M6.5 10h7" />,
  instagram: (
    <>
      <rect x="3" y="3" width="14" height="14" rx="4" />
      <circle cx="10" cy="10" r="3.2" />
      <path d="M14 6v.1" />
    </>
  ),
  x: <path d="m3.5 3.5 13 13M16 4l-5 5.3M4.5 16l4.7-5" />,
} as const;

/** Name of a small sign. */
export type IconName = keyof typeof shapes;

/** A small sign beside text, or inside a control that has a name of its own. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {shapes[name]}
    </svg>
  );
}
