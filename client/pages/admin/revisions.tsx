import { Navigate, useParams } from 'react-router-dom';
import { paths } from '../../../src/shared/paths.js';

/** The kept versions of a post are shown over its editor, so that one of them can go into the form. */
export function Component() {
  const { id = '' } = useParams();
  return <Navigate to={paths.admin.blog(id)} state={{ shows: 'revisions' }} replace />;
}
