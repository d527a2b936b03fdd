import type { DayOfReads } from '../../../src/shared/contracts/reads.js';
import { Disclosure } from '../../components/disclosure.js';

const HEIGHT = 100;
const STEP = 10;
const GAP = 2;

/** Bars of days. The same numbers stand in a table, for screen readers and for who wants to know. */
export function DayChart({ days }: { readonly days: readonly DayOfReads[] }) {
  const most = Math.max(1, ...days.map(({ count }) => count));
  return (
    <>
      <svg
        className="read-chart"
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {days.map(({ day, count }, index) => {
          const height = (count / most) * HEIGHT;
          return (
            <rect key={day} x={index * STEP + GAP / 2} y={HEIGHT - height} width={STEP - GAP} height={height}>
              <title>{`${day}: ${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="read-axis quiet small numeric" aria-hidden="true">
        <span>{days[0]?.day}</span>
        <span>most on a day: {most.toLocaleString('en-US')}</span>
        <span>{days.at(-1)?.day}</span>
      </p>
      <Disclosure summary="As a table">
        <table className="read-table">
          <caption className="visually-hidden">Reads by day</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Reads</th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, count }) => (
              <tr key={day}>
                <th scope="row">{day}</th>
                <td className="numeric">{count.toLocaleString('en-US')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Disclosure>
    </>
  );
}
