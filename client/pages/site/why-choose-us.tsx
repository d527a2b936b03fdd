import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="why-choose-us" description="why-choose-us" />
      <h1>why-choose-us</h1>
    </>
  );
}
