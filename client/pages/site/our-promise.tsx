import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="our-promise" description="our-promise" />
      <h1>our-promise</h1>
    </>
  );
}
