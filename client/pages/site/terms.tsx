import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="terms" description="terms" />
      <h1>terms</h1>
    </>
  );
}
