import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="not-sure" description="not-sure" />
      <h1>not-sure</h1>
    </>
  );
}
