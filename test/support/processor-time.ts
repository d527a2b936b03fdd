/**
 * The processor time (milliseconds) that a task takes: of several runs the least, as garbage collection and busy
 * neighbors only ever add to it. What is quick enough at first is not run again.
 */
export function leastProcessorTime(task: () => void, enoughMs = 0, runs = 5): number {
  let least = Infinity;
  for (let run = 0; run < runs && least > enoughMs; run += 1) {
    const before = process.cpuUsage();
    task();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
