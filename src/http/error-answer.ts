declare module 'fastify' {
  interface FastifyRequest {
    /** Set where errors are answered in a shape of its own instead of that of the API. */
    answerError?: (error: unknown) => void;
  }
}

export {};
