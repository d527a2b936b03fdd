import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="privacy" description="privacy" />
      <h1>privacy</h1>
    </>
  );
}
