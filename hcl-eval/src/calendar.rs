//! Days as dates of the Gregorian calendar, which is used before it was invented, too.
//!
//! Years that begin in March have their leap day at the end; 400 of them make an era, and all eras are alike.

/// The days from the first of March of the year 0 to the start of 1970.
const DAYS_TO_1970: i64 = 719_468;
const DAYS_OF_ERA: i64 = 146_097;

/// Year, month and day of a day counted from the start of 1970, whose year has up to 12 digits.
pub(crate) fn date_of_day(day: i64) -> (i64, i64, i64) {
    let day = day + DAYS_TO_1970;
    let (era, day_of_era) = (day.div_euclid(DAYS_OF_ERA), day.rem_euclid(DAYS_OF_ERA));
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year_of_era + next_year, month, day_of_month)
}

/// The days from the start of 1970 to a date.
#[cfg(feature = "datetime")]
pub(crate) fn day_of_date(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    era * DAYS_OF_ERA + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - DAYS_TO_1970
}

#[cfg(all(test, feature = "datetime"))]
mod tests {
    use super::*;

    #[test]
    fn each_day_has_its_date() {
        let (mut year, mut month, mut day) = (1601, 1, 1);
        for at in day_of_date(1601, 1, 1)..day_of_date(2401, 1, 1) {
            assert_eq!((date_of_day(at), day_of_date(year, month, day)), ((year, month, day), at));
            let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let length = match month {
                2 => 28 + i64::from(is_leap),
                4 | 6 | 9 | 11 => 30,
                _ => 31,
            };
            (day, month) = if day < length { (day + 1, month) } else { (1, month + 1) };
            (month, year) = if month <= 12 { (month, year) } else { (1, year + 1) };
        }
        assert_eq!((year, month, day), (2401, 1, 1));
        assert_eq!((date_of_day(0), date_of_day(-719_528)), ((1970, 1, 1), (0, 1, 1)));
    }
}
