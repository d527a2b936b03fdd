import { monitorEventLoopDelay } from 'node:perf_hooks';
import { gauge, counter, single, type Family } from './family.js';

/** The process itself: names and units are those of Prometheus' own libraries. */
export class ProcessFamilies {
  private readonly delay = monitorEventLoopDelay({ resolution: 10 });

  constructor() {
    this.delay.enable();
  }

  collect(): Family[] {
    const { rss, heapUsed, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const help = (text: string) => `${text}, of all processes together`;
    return [
      gauge(
        {
          name: 'process_start_time_seconds',
          help: 'When the process that was started last began, in seconds since 1970',
        },
        single(Math.round(Date.now() / 1000 - process.uptime())),
        'max',
      ),
      counter({ name: 'process_cpu_seconds_total', help: help('Processor time') }, single((user + system) / 1e6)),
      gauge({ name: 'process_resident_memory_bytes', help: help('Memory') }, single(rss)),
      gauge({ name: 'nodejs_heap_size_used_bytes', help: help('Memory of objects') }, single(heapUsed)),
      gauge(
        { name: 'nodejs_external_memory_bytes', help: help('Memory of buffers, pages that are kept among them') },
        single(external),
      ),
      ...this.collectDelay(),
    ];
  }

  /** Since the scrape before. */
  private collectDelay(): Family[] {
    const { delay } = this;
    const seconds = (nanoseconds: number) => (Number.isFinite(nanoseconds) ? nanoseconds / 1e9 : 0);
    const lag = (name: string, help: string, nanoseconds: number) =>
      gauge({ name: `nodejs_eventloop_lag_${name}_seconds`, help }, single(seconds(nanoseconds)), 'max');
    const families = [
      lag('p99', 'How late the event loop was in 1 of 100 cases since the last scrape', delay.percentile(99)),
      lag('max', 'How late the event loop was at most since the last scrape', delay.max),
    ];
    delay.reset();
    return families;
  }
}
