import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="not-found" description="not-found" />
      <h1>not-found</h1>
    </>
  );
}
