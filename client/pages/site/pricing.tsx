import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="pricing" description="pricing" />
      <h1>pricing</h1>
    </>
  );
}
