//! Texts with blanks to fill: `«word»`, `«name»`, `«unique»`, `«1-9»`, `«this|or that»`.

use std::fmt::Write as _;

use crate::random::Random;

/// Words that names and prose are made of.
const WORDS: [&str; 32] = [
    "alpha", "bravo", "cache", "core", "data", "edge", "fleet", "gate", "hub", "infra", "ingest", "job",
    "kube", "load", "mail", "mesh", "node", "ops", "prod", "queue", "redis", "region", "search", "stage",
    "sync", "tier", "user", "vault", "vote", "web", "zone", "api",
];

/// Fills blanks, each time differently.
pub(super) struct Filler {
    pub(super) random: Random,
    n_unique: u64,
}

impl Filler {
    pub(super) fn new(seed: u64) -> Self {
        Self { random: Random::new(seed), n_unique: 0 }
    }

    /// Adds `pattern` to `text`, its blanks filled.
    pub(super) fn fill(&mut self, pattern: &str, text: &mut String) {
        let mut pieces = pattern.split(['«', '»']);
        while let Some(literal) = pieces.next() {
            text.push_str(literal);
            if let Some(blank) = pieces.next() {
                self.fill_blank(blank, text);
            }
        }
    }

    /// One of the words.
    pub(super) fn word(&mut self) -> &'static str {
        self.random.pick(&WORDS)
    }

    fn fill_blank(&mut self, blank: &str, text: &mut String) {
        let range = blank.split_once('-').and_then(|(low, high)| low.parse().ok().zip(high.parse().ok()));
        if let Some((low, high)) = range {
            let _ = write!(text, "{}", self.random.between(low, high));
            return;
        }
        match blank {
            "word" => text.push_str(self.word()),
            "name" => self.name(text),
            "unique" => {
                self.n_unique += 1;
                self.name(text);
                let _ = write!(text, "_{}", self.n_unique);
            }
            choices => {
                let choices: Vec<&str> = choices.split('|').collect();
                text.push_str(self.random.pick(&choices));
            }
        }
    }

    /// One to three words, joined.
    fn name(&mut self, text: &mut String) {
        text.push_str(self.word());
        for _ in 1..self.random.between(1, 3) {
            text.push('_');
            text.push_str(self.word());
        }
    }
}
