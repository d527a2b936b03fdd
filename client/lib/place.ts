import { createContext, useContext } from 'react';

const PlaceContext = createContext('/');

/** Says at which path the page is; see {@link usePlace}. */
export const PlaceProvider = PlaceContext;

/** The path of the page shown, for parts that are rendered outside of the router as well. */
export function usePlace(): string {
  return useContext(PlaceContext);
}
