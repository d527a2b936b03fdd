import { Registry } from '@prometheus-io/client';
import type { Family } from './family.js';

/** Content type of Prometheus' text format, version 0.0.4. */
export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Adds up the collections of several processes. */
export async function addUp(snapshots: readonly (readonly Family[])[]): Promise<Family[]> {
  const families = await Registry.aggregate(snapshots.map((snapshot) => [...snapshot])).getMetricsAsJSON();
  return families as unknown as Family[];
}

/** Adds up the collections of processes and writes them in Prometheus' text format. */
export async function writeText(snapshots: readonly (readonly Family[])[]): Promise<string> {
  return Registry.aggregate(snapshots.map((snapshot) => [...snapshot])).metrics();
}
