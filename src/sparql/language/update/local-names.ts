type Rule = typeof import('@traqula/rules-sparql-1-1').gram.prefixedName;

/** The parser's rule for names with a prefix; by itself it cuts `p:a:b` off behind the `a`. */
export function withWholeLocalNames(rule: Rule): Rule {
  return {
    ...rule,
    impl: (steps) => {
      let image = '';
      const read = rule.impl({
        ...steps,
        CONSUME: (...parameters) => {
          const token = steps.CONSUME(...parameters);
          image = token.image;
          return token;
        },
      });
      return (context) => {
        const term = read(context);
        return steps.ACTION(() => ({ ...term, value: image.slice(term.prefix.length + 1) }));
      };
    },
  };
}
