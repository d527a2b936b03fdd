/** Signs of the editor's toolbar, 20 by 20. */
export const toolbarSigns = {
  undo: 'M7 5 3.5 8.5 7 12M4 8.5h7.5a4 4 0 0 1 0 8H9',
  redo: 'm13 5 3.5 3.5L13 12M16 8.5H8.5a4 4 0 0 0 0 8H11',
  bold: 'M6.5 4h4a2.8 2.8 0 0 1 0 5.6h-4zm0 5.6h4.9a3.2 3.2 0 0 1 0 6.4H6.5z',
  italic: 'M8.5 4h5M6.5 16h5M11.2 4l-2.4 12',
  underline: 'M6 4v5.5a4 4 0 0 0 8 0V4M5 17h10',
  strike:
    'M13.5 6.2C13 4.8 11.7 4 10 4 8 4 6.6 5 6.6 6.7c0 3.6 7 2.3 7 6.2 0 1.9-1.6 3.1-3.7 3.1-2 0-3.4-1-3.8-2.6M3.5 10h13',
  code: 'm7 6-4 4 4 4m6-8 4 4-4 4',
  link: 'M8.5 11.5a3 3 0 0 0 4.3 0l2.7-2.7a3 3 0 0 0-4.3-4.3l-.8.8M11.5 8.5a3 3 0 0 0-4.3 0l-2.7 2.7a3 3 0 0 0 4.3 4.3l.8-.8',
  bullet: 'M8 5h9M8 10h9M8 15h9M3.8 5h.1M3.8 10h.1M3.8 15h.1',
  ordered: 'M8.5 5H17M8.5 10H17M8.5 15H17M3 3.8 4.2 3v4M2.8 12.2c.5-.9 2.5-.8 2.4.6 0 1-2.3 1.5-2.4 3.2h2.6',
  checked: 'm2.5 5 1.3 1.3L6.3 3.8M9 5h8M9 10h8M9 15h8M2.8 12.5h3.4v3.4H2.8z',
  outdent: 'M3 4h14M9 8h8M9 12h8M3 16h14M6 7.5 3.5 10 6 12.5',
  indent: 'M3 4h14M9 8h8M9 12h8M3 16h14M3.5 7.5 6 10l-2.5 2.5',
  quote: 'M4 4v12M8 6h9M8 10h9M8 14h5',
  codeBlock: 'M3 3.5h14v13H3zM8 8l-2.3 2L8 12m4-4 2.3 2L12 12',
  image: 'M3 4h14v12H3zM3.5 14.5l4-4 3 3 2.5-2.5 3.5 3.5M12.8 7.5h.1',
  describe: 'M3 4h14v9h-5l-3.5 3.5V13H3zM6.5 7.5h7M6.5 10h4',
  video: 'M3 4.5h14v11H3zM8.5 7.5v5l4-2.5z',
  formula: 'M14.5 4h-9l5 6-5 6h9',
  clean: 'M5 4h10M10 4l-2 8M4 17h6m2.5-5.5 4 4m0-4-4 4',
  align: 'M3 4.5h14M3 8.2h9M3 11.8h14M3 15.5h9',
  color: 'M5.5 12.5 10 3l4.5 9.5M7 9.5h6M4 16.5h12',
  background: 'm6 12 6.5-8 3 2.5L9 14.5l-3.5.5zM4 17h12',
  font: 'M4 16 9 4h1l5 12M6 11.5h7',
  size: 'M2.5 16 6.5 6l4 10M3.9 12.5h5.2M12 16l2.7-6.5L17.5 16m-4.6-2h3.7',
} as const;

/** Name of a sign of the toolbar. */
export type ToolbarSign = keyof typeof toolbarSigns;
