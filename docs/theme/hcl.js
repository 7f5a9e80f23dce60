// The colours of HCL in code blocks: highlight.js, as mdBook brings it, does not know the language.
(function () {
  "use strict";
  if (typeof hljs === "undefined") return;
  const interpolation = { className: "subst", begin: /[$%]\{/, end: /\}/, keywords: { keyword: "for in if else endif endfor" } };
  const string = {
    className: "string",
    variants: [{ begin: /"/, end: /"/ }, { begin: /<<-?[A-Za-z_][\w-]*$/, end: /^\s*[A-Z_][A-Z_0-9]*$/ }],
    contains: [{ begin: /\\./ }, { begin: /\$\$\{|%%\{/ }, interpolation],
  };
  const number = { className: "number", begin: /\b\d+(\.\d+)?([eE][+-]?\d+)?\b/ };
  interpolation.contains = [string, number];
  hljs.registerLanguage("hcl", () => ({
    aliases: ["tf", "module", "vars", "spec", "config"],
    keywords: { keyword: "for in if", literal: "true false null" },
    contains: [
      hljs.HASH_COMMENT_MODE,
      hljs.C_LINE_COMMENT_MODE,
      hljs.C_BLOCK_COMMENT_MODE,
      string,
      number,
      { className: "built_in", begin: /\b[a-zA-Z_][\w:-]*(?=\()/ },
      { className: "attr", begin: /^\s*[a-zA-Z_][\w-]*(?=\s*=[^=>])/ },
      { className: "title", begin: /^\s*[a-zA-Z_][\w-]*(?=(\s+"[^"]*")*\s*\{)/ },
    ],
  }));
  for (const language of ["hcl", "vars", "module", "spec", "config", "file"]) {
    for (const code of document.querySelectorAll(`code.language-${language}`)) {
      const shown = hljs.highlight("hcl", code.textContent, true);
      code.innerHTML = shown.value;
      code.classList.add("hljs");
    }
  }
})();
