/**
 * A span of seconds in words: days where it is several whole ones (`7 days`), else whole hours from two hours on
 * (`24 hours`), else minutes; one hour is `1 hour`.
 */
export function describeDuration(seconds: number): string {
  const minutes = Math.max(1, Math.floor(seconds / 60));
  if (minutes < 60 || (minutes < 120 && minutes !== 60)) return count(minutes, 'minute');
  const hours = Math.floor(minutes / 60);
  return hours >= 48 && hours % 24 === 0 ? count(hours / 24, 'day') : count(hours, 'hour');
}

function count(amount: number, unit: string): string {
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}
