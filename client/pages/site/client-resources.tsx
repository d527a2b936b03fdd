import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="client-resources" description="client-resources" />
      <h1>client-resources</h1>
    </>
  );
}
