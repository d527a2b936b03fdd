import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="home" description="home" />
      <h1>home</h1>
    </>
  );
}
