/** Signs of the toolbar, 20 by 20. */
const shapes = {
  undo: 'M7 5 3.5 8.5 7 12M4 8.5h7.5a4 4 0 0 1 0 8H9',
  redo: 'm13 5 3.5 3.5L13 12M16 8.5H8.5a4 4 0 0 0 0 8H11',
  bold: 'M6.5 4h4a2.8 2.8 0 0 1 0 5.6h-4zm0 5.6h4.9a3.2 3.2 0 0 1 0 6.4H6.5z',
  italic: 'M8.5 4h5M6.5 16h5M11.2 4l-2.4 12',
  underline: 'M6 4v5.5a4 4 0 0 0 8 0V4M5 17h10',
  strike:
    'M13.5 6.2C13 4.8 11.700 4 10 4 8 4 6.600 5 6.600 6.700c0 3.600 7 2.300 7 6.200 0 1.900-1.600 3.100-3.700 3.100-2 0-3.400-1-3.800-2.600M3.500 10h13',
  code: 'm7 6-4 4 4 4m6-8 4 4-4 4',
  link: 'M8.500 11.500a3 3 0 0 0 4.300 0l2.700-2.700a3 3 0 0 0-4.300-4.300l-.8.8M11.500 8.500a3 3 0 0 0-4.300 0l-2.700 2.700a3 3 0 0 0 4.300 4.300l.8-.8',
  bullet: 'M8 5h9M8 10h9M8 15h9M3.800 5h.1M3.800 10h.1M3.800 15h.1',
  ordered:
    'M8.500 5H17M8.500 10H17M8.500 15H17M3 3.800 4.200 3v4M2.800 12.200c.5-.9 2.500-.8 2.400.6 0 1-2.300 1.500-2.400 3.200h2.600',
  checked: 'm2.500 5 1.300 1.300L6.300 3.800M9 5h8M9 10h8M9 15h8M2.800 12.500h3.400v3.400H2.800z',
  outdent: 'M3 4h14M9 8h8M9 12h8M3 16h14M6 7.500 3.500 10 6 12.500',
  indent: 'M3 4h14M9 8h8M9 12h8M3 16h14M3.500 7.500 6 10l-2.500 2.500',
  quote: 'M4 4v12M8 6h9M8 10h9M8 14h5',
  codeBlock: 'M3 3.500h14v13H3zM8 8l-2.300 2L8 12m4-4 2.300 2L12 12',
  image: 'M3 4h14v12H3zM3.500 14.500l4-4 3 3 2.500-2.500 3.500 3.500M12.800 7.500h.1',
  describe: 'M3 4h14v9h-5l-3.500 3.500V13H3zM6.500 7.500h7M6.500 10h4',
  video: 'M3 4.500h14v11H3zM8.500 7.500v5l4-2.500z',
  formula: 'M14.500 4h-9l5 6-5 6h9',
  clean: 'M5 4h10M10 4l-2 8M4 17h6m2.500-5.500 4 4m0-4-4 4',
  align: 'M3 4.500h14M3 8.200h9M3 11.800h14M3 15.500h9',
  color: 'M5.500 12.500 10 3l4.500 9.500M7 9.500h6M4 16.500h12',
  background: 'm6 12 6.500-8 3 2.500L9 14.500l-3.500.5zM4 17h12',
  font: 'M4 16 9 4h1l5 12M6 11.500h7',
  size: 'M2.500 16 6.500 6l4 10M3.900 12.500h5.200M12 16l2.700-6.500L17.500 16m-4.600-2h3.700',
} as const;

export type ToolbarIconName = keyof typeof shapes;

export function ToolbarIcon({ name }: { readonly name: ToolbarIconName }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={shapes[name]} />
    </svg>
  );
}
