//! Tidal heights from harmonic constituents.

use std::collections::BTreeMap;
use std::f64::consts::PI;
use std::fmt;

/// One constituent: how fast it turns, how high it goes, and when.
#[derive(Debug, Clone, PartialEq)]
pub struct Constituent {
    pub name: String,
    /// Degrees an hour.
    pub speed: f64,
    /// Metres.
    pub amplitude: f64,
    /// Degrees behind the equilibrium tide.
    pub lag: f64,
}

#[derive(Debug)]
pub enum TideError {
    Unknown(String),
    Empty,
    OutOfRange { hours: f64, limit: f64 },
}

impl fmt::Display for TideError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TideError::Unknown(name) => write!(f, "no constituent named {name}"),
            TideError::Empty => write!(f, "a station needs at least one constituent"),
            TideError::OutOfRange { hours, limit } => {
                write!(f, "{hours} h is beyond the {limit} h the constants hold for")
            }
        }
    }
}

impl std::error::Error for TideError {}

/// A place with its constants.
pub struct Station {
    name: String,
    mean: f64,
    parts: BTreeMap<String, Constituent>,
}

impl Station {
    pub fn new(name: &str, mean: f64) -> Self {
        Station { name: name.to_string(), mean, parts: BTreeMap::new() }
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn add(&mut self, part: Constituent) -> Option<Constituent> {
        self.parts.insert(part.name.clone(), part)
    }

    pub fn constituent(&self, name: &str) -> Result<&Constituent, TideError> {
        self.parts.get(name).ok_or_else(|| TideError::Unknown(name.to_string()))
    }

    /// Height above the datum, in metres, `hours` after the epoch.
    pub fn height(&self, hours: f64) -> Result<f64, TideError> {
        const LIMIT: f64 = 24.0 * 366.0 * 19.0;
        if self.parts.is_empty() {
            return Err(TideError::Empty);
        }
        if hours.abs() > LIMIT {
            return Err(TideError::OutOfRange { hours, limit: LIMIT });
        }
        let mut sum = self.mean;
        for part in self.parts.values() {
            let angle = (part.speed * hours - part.lag) * PI / 180.0;
            sum += part.amplitude * angle.cos();
        }
        Ok(sum)
    }

    /// The first high water at or after `from`, found in steps of `step` hours.
    pub fn next_high(&self, from: f64, step: f64) -> Result<(f64, f64), TideError> {
        let mut before = self.height(from - step)?;
        let mut here = self.height(from)?;
        let mut at = from;
        loop {
            let after = self.height(at + step)?;
            if here >= before && here > after {
                return Ok((at, here));
            }
            before = here;
            here = after;
            at += step;
        }
    }

    /// The first low water at or after `from`, found in steps of `step` hours.
    pub fn next_low(&self, from: f64, step: f64) -> Result<(f64, f64), TideError> {
        let mut before = self.height(from - step)?;
        let mut here = self.height(from)?;
        let mut at = from;
        loop {
            let after = self.height(at + step)?;
            if here <= before && here < after {
                return Ok((at, here));
            }
            before = here;
            here = after;
            at += step;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn harbour() -> Station {
        let mut s = Station::new("North Quay", 2.84);
        s.add(Constituent { name: "M2".into(), speed: 28.9841, amplitude: 1.31, lag: 311.0 });
        s.add(Constituent { name: "S2".into(), speed: 30.0, amplitude: 0.36, lag: 12.0 });
        s.add(Constituent { name: "K1".into(), speed: 15.0411, amplitude: 0.08, lag: 254.0 });
        s
    }

    #[test]
    fn stays_within_the_amplitudes() {
        let s = harbour();
        for i in 0..2000 {
            let h = s.height(i as f64 * 0.37).unwrap();
            assert!((h - 2.84).abs() <= 1.31 + 0.36 + 0.08);
        }
    }

    #[test]
    fn an_empty_station_is_an_error() {
        let s = Station::new("nowhere", 0.0);
        assert!(matches!(s.height(1.0), Err(TideError::Empty)));
    }

    #[test]
    fn high_comes_before_the_next_low() {
        let s = harbour();
        let (high, top) = s.next_high(0.0, 0.05).unwrap();
        let (low, bottom) = s.next_low(high, 0.05).unwrap();
        assert!(low > high && low - high < 8.0);
        assert!(top > bottom);
    }
}
