/** The data of a page in two: for its browser to hydrate it, and for the server alone to render. */
export interface SplitData {
  readonly forBrowser: unknown;
  /** Stands in the page as HTML only. */
  readonly serverOnly: unknown;
}
