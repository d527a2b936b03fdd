import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="contact" description="contact" />
      <h1>contact</h1>
    </>
  );
}
