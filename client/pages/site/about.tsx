import { Head } from '../../lib/head.js';

export function Component() {
  return (
    <>
      <Head title="about" description="about" />
      <h1>about</h1>
    </>
  );
}
