//! Bounds on the work.

use std::time::Duration;

use clap::Args;

/// Bounds on the work.
#[derive(Args, Clone, Debug, Default)]
pub struct LimitArguments {
    /// Stop after N steps of evaluation
    #[arg(long, value_name = "N")]
    pub max_steps: Option<u64>,
    /// Stop when more than BYTES of text would be made or printed
    #[arg(long, value_name = "BYTES")]
    pub max_output: Option<u64>,
    /// Stop when all values that are made would together take more than BYTES of memory
    #[arg(long, value_name = "BYTES")]
    pub max_memory: Option<u64>,
    /// Refuse nesting deeper than N levels
    #[arg(long, value_name = "N")]
    pub max_depth: Option<u32>,
    /// Stop after a time, for example 500ms, 2s or 1m; a number without a unit is seconds
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub timeout: Option<Duration>,
}

/// A number with a unit; without a unit, seconds.
fn parse_duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(&str, f64); 4] = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("", 1.0)];
    let refused = || "expected a time such as 500ms, 2s or 1m".to_owned();
    let (number, factor) = UNITS
        .iter()
        .find_map(|(unit, factor)| Some((text.strip_suffix(unit)?, factor)))
        .ok_or_else(refused)?;
    let seconds = number.parse::<f64>().map_err(|_| refused())? * factor;
    Duration::try_from_secs_f64(seconds).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("2s"), Ok(Duration::from_secs(2)));
        assert_eq!(parse_duration("1m"), Ok(Duration::from_secs(60)));
        assert_eq!(parse_duration("1.5"), Ok(Duration::from_millis(1500)));
        assert!(parse_duration("soon").is_err());
        assert!(parse_duration("-1s").is_err());
    }
}
