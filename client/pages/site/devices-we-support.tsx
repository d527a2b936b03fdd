import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="devices-we-support" description="devices-we-support" />
      <h1>devices-we-support</h1>
    </>
  );
}
