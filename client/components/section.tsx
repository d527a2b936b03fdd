import { useId, type ReactNode } from 'react';

interface SectionHeadProps {
  /** Short label over the heading, with the lamp. */
  readonly eyebrow?: string;
  readonly title: ReactNode;
  readonly lede?: ReactNode;
  /** Id of the heading, for `aria-labelledby`. */
  readonly headingId?: string;
  /** Further parts of the head, such as a button. */
  readonly children?: ReactNode;
}

/** Eyebrow, h2 and lede at the head of a section. */
export function SectionHead({ eyebrow, title, lede, headingId, children }: SectionHeadProps) {
  return (
    <div className="section-head">
      {eyebrow ? <p className="eyebrow">{eyebrow}</p> : null}
      <h2 id={headingId}>{title}</h2>
      {lede ? <p className="lede">{lede}</p> : null}
      {children}
    </div>
  );
}

interface SectionProps extends Omit<SectionHeadProps, 'headingId' | 'title'> {
  /** Without a title there is no head, and the band is no section of the document. */
  readonly title?: ReactNode;
  /** The ground: paper, a shade of it, or the ink panel (at most one or two on a page). */
  readonly tone?: 'paper' | 'muted' | 'ink';
  /** Takes away the space above: for a section that continues the one before on the same ground. */
  readonly isTight?: boolean;
  /** 'columns' puts the head beside the children from tablets up. */
  readonly layout?: 'stack' | 'columns';
  readonly className?: string;
}

/** A band of the page with its head, named after its heading. */
export function Section(props: SectionProps) {
  const { title, eyebrow, lede, tone = 'paper', isTight = false, layout = 'stack', className, children } = props;
  const headingId = useId();
  const classes = ['section', tone !== 'paper' && `section-${tone}`, isTight && 'section-tight', className];
  const Band = title ? 'section' : 'div';
  return (
    <Band className={classes.filter(Boolean).join(' ')} aria-labelledby={title ? headingId : undefined}>
      <div className={layout === 'columns' ? 'wrap columns' : 'wrap'}>
        {title ? <SectionHead eyebrow={eyebrow} title={title} lede={lede} headingId={headingId} /> : null}
        {children}
      </div>
    </Band>
  );
}
