/** Stands in for a post that is being fetched (product.md 2.10). */
export function PostLoading() {
  return (
    <div className="wrap wrap-narrow post-loading">
      <p className="list-note" role="status">
        Loading...
      </p>
    </div>
  );
}
