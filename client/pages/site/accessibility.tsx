import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="accessibility" description="accessibility" />
      <h1>accessibility</h1>
    </>
  );
}
