/** Stands in for a post that is being fetched (specification section 2). */
export function PostLoading() {
  return (
    <div className="wrap wrap-narrow post-loading">
      <p className="list-note" role="status">
        Loading...
      </p>
    </div>
  );
}
