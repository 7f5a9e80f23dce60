//! IP networks: `cidrhost`, `cidrnetmask`, `cidrsubnet`, `cidrsubnets`, `cidrcontains`.
//!
//! Addresses are big integers here, because the reference's arithmetic on them is, and
//! its checks look at 64 bits only: numbers beyond that slip through and change the
//! network part. This is kept. IPv4 addresses written as IPv6 ones (`::ffff:…`) have
//! 128 bits when they are read and counted, and print as IPv4.

use std::borrow::Cow;
use std::net::{Ipv4Addr, Ipv6Addr};

use num_bigint::{BigInt, BigUint, Sign};

use super::support::{Outcome, WHOLE_NUMBER, fail, function, number, refuse, shown, text, whole};
use crate::function::{Function, FunctionError, Invocation, Parameter};
use crate::limits::BYTES_PER_PART;
use crate::types::Type;
use crate::value::string::{STRETCH, stretches};
use crate::value::{Number, Value};

/// Which of the reference's libraries is followed.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Rules {
    /// Big numbers; octets may have leading zeros.
    Lenient,
    /// Numbers of 64 bits, at most 32 more bits, octets without leading zeros.
    Strict,
}

/// A network, the bits behind its prefix zero.
#[derive(Clone, Debug)]
struct Network {
    /// The address as a number; one of IPv4 has the lowest 32 bits.
    address: u128,
    /// 32 or 128.
    bits: u32,
    /// The length of the prefix in bits, at most `bits`.
    prefix: u32,
}

/// The start of IPv4 addresses written as IPv6 ones.
const MAPPED: u128 = 0xffff_0000_0000;

/// Tells if an address is an IPv4 one written as IPv6.
fn is_mapped(address: u128, bits: u32) -> bool {
    bits == 128 && address >> 32 == MAPPED >> 32
}

/// The mask of a prefix length, of which none is longer than the address.
fn mask(prefix: u32, bits: u32) -> u128 {
    let all = u128::MAX >> (128 - bits);
    match prefix {
        0 => 0,
        prefix => all & (all << (bits - prefix)),
    }
}

/// Writes an address: in dotted form, or as RFC 5952 has it.
fn address_text(address: u128, bits: u32) -> String {
    match u32::try_from(address & u128::from(u32::MAX)) {
        Ok(low) if bits == 32 || is_mapped(address, bits) => Ipv4Addr::from(low).to_string(),
        _ => Ipv6Addr::from(address).to_string(),
    }
}

impl Network {
    /// Reads an address, a slash and a prefix length, which may have leading zeros. Bits behind the prefix are
    /// dropped.
    fn parse(text: &str, rules: Rules) -> Option<Network> {
        let (address, prefix) = text.split_once('/')?;
        let (address, bits) = parse_address(address, rules)?;
        if prefix.is_empty() || !prefix.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let prefix = prefix.parse().ok().filter(|&prefix: &u32| prefix <= bits)?;
        Some(Network { address: address & mask(prefix, bits), bits, prefix })
    }

    /// The network that the first argument names.
    fn argument(
        invocation: &mut Invocation<'_>,
        args: &[Value],
        rules: Rules,
    ) -> Result<Network, FunctionError> {
        let written = text(args, 0);
        Network::parse(&shortened(invocation, written)?, rules).ok_or_else(|| {
            FunctionError::new(format!("invalid CIDR expression: invalid CIDR address: {:?}", shown(written)))
        })
    }

    /// Writes the network. Of an IPv4 address written as IPv6 the prefix is counted from where the IPv4 one begins.
    fn to_text(&self) -> String {
        let prefix =
            if is_mapped(self.address, self.bits) { self.prefix.saturating_sub(96) } else { self.prefix };
        format!("{}/{prefix}", address_text(self.address, self.bits))
    }

    fn last(&self) -> u128 {
        self.address | (mask(self.bits, self.bits) & !mask(self.prefix, self.bits))
    }

    /// Tells if an address of the network's own kind is in it.
    fn contains(&self, address: u128) -> bool {
        address & mask(self.prefix, self.bits) == self.address
    }

    /// The address with a number put in by OR, its last bit at the end of `length` bits. A negative number changes
    /// the whole address, as in the reference. Nothing if the result is longer than an address.
    fn with_number(&self, number: &BigInt, length: u32) -> Option<u128> {
        let address = BigInt::from(self.address) | (number << (self.bits - length));
        u128::try_from(address.magnitude()).ok().filter(|&address| self.bits == 128 || address >> 32 == 0)
    }
}

/// A text without most of the zeros where there are many in a row, made with looks at the limits: of a long text that is an
/// address or a network little else is left, and of another one its beginning.
fn shortened<'t>(invocation: &mut Invocation<'_>, text: &'t str) -> Result<Cow<'t, str>, FunctionError> {
    /// More in a row mean as much as so many: they lead a number, or make it too large.
    const ZEROS: usize = 16;
    /// No address or network has so many other characters.
    const MOST: usize = 1 << 10;
    if text.len() <= STRETCH {
        return Ok(Cow::Borrowed(text));
    }
    let (mut short, mut n_zeros) = (String::new(), 0);
    for stretch in stretches(text) {
        invocation.go_on(stretch.len() / BYTES_PER_PART)?;
        for c in stretch.chars() {
            n_zeros = if c == '0' { n_zeros + 1 } else { 0 };
            if n_zeros <= ZEROS {
                short.push(c);
            }
        }
        if short.len() > MOST {
            break;
        }
    }
    Ok(Cow::Owned(short))
}

/// An address and its width in bits.
fn parse_address(text: &str, rules: Rules) -> Option<(u128, u32)> {
    if text.contains(':') {
        return Some((u128::from(text.parse::<Ipv6Addr>().ok()?), 128));
    }
    let mut address = 0;
    let mut octets = 0;
    for octet in text.split('.') {
        let zeros = octet.len() > 1 && octet.starts_with('0');
        // `parse` takes a sign, too.
        if !octet.bytes().all(|b| b.is_ascii_digit()) || zeros && rules == Rules::Strict {
            return None;
        }
        address = address << 8 | u128::from(octet.parse::<u8>().ok()?);
        octets += 1;
    }
    (octets == 4).then_some((address, 32))
}

/// A whole number, of 64 bits unless the rules are lenient.
fn whole_number(args: &[Value], position: usize, name: &str, rules: Rules) -> Result<BigInt, FunctionError> {
    let written = number(args, position);
    match (written.to_i64(), rules) {
        (Some(small), _) => Ok(BigInt::from(small)),
        (None, Rules::Strict) => fail(format!("\"{name}\": {WHOLE_NUMBER}")),
        (None, Rules::Lenient) => big_number(&written).ok_or_else(|| {
            FunctionError::new(format!("\"{name}\": value must be a whole number of reasonable size"))
        }),
    }
}

/// Numbers whose exponent alone would take megabytes are not followed.
fn big_number(number: &Number) -> Option<BigInt> {
    if number.text_len_bound() > 10_000 {
        return None;
    }
    let magnitude = BigInt::from(number.integer_magnitude()?);
    Some(if number.is_negative() { -magnitude } else { magnitude })
}

/// The low 64 bits of the magnitude, which is all that some checks look at.
fn low_bits(number: &BigInt) -> u64 {
    number.magnitude().iter_u64_digits().next().unwrap_or(0)
}

/// A function whose first argument is a network.
fn on_prefix(name: &str, description: &'static str) -> Function {
    function(name, description).parameter(Parameter::new("prefix", Type::String).described("A network address in CIDR notation, for example 10.0.0.0/8 or 2001:db8::/32; what stands behind the prefix is ignored."))
}

/// `cidrhost(prefix, hostnum)`
pub(crate) fn cidrhost() -> Function {
    cidrhost_by(Rules::Lenient)
}

/// `cidrhost(prefix, hostnum)` with numbers of 64 bits.
pub(crate) fn cidrhost_strict() -> Function {
    cidrhost_by(Rules::Strict)
}

fn cidrhost_by(rules: Rules) -> Function {
    on_prefix("cidrhost", "Gives the address of a host in a network, by number.")
        .parameter(Parameter::new("hostnum", Type::Number).described(
            "The number of the host, from 0; negative numbers count from the end, -1 is the last address.",
        ))
        .returns(Type::String)
        .implementation(move |invocation, args| {
            // The number is looked at first, as the reference does.
            let host = whole_number(args, 1, "hostnum", rules)?;
            let network = Network::argument(invocation, args, rules)?;
            match host_address(&network, &host) {
                Some(address) => Ok(Value::string(address_text(address, network.bits))),
                None => {
                    fail(format!("prefix of {} does not accommodate a host numbered {host}", network.prefix))
                }
            }
        })
}

/// The address of a host, or nothing if the network has too few. Negative numbers count from the end.
fn host_address(network: &Network, host: &BigInt) -> Option<u128> {
    let highest = BigInt::from(BigUint::from(1_u8) << (network.bits - network.prefix)) - 1;
    let (checked, host) = match host.sign() {
        Sign::Minus => (-host - 1, &highest + 1 + host),
        // The 64 bits are taken for a signed number.
        _ => (BigInt::from(low_bits(host).cast_signed()), host.clone()),
    };
    if checked > highest {
        return None;
    }
    let bits = if is_mapped(network.address, network.bits) { 32 } else { network.bits };
    network.with_number(&host, bits)
}

/// `cidrnetmask(prefix)` of IPv4 networks only.
pub(crate) fn cidrnetmask() -> Function {
    cidrnetmask_by(Rules::Lenient)
}

/// `cidrnetmask(prefix)` of any network.
pub(crate) fn cidrnetmask_of_any() -> Function {
    cidrnetmask_by(Rules::Strict)
}

/// Builds `cidrnetmask`. Strict rules give IPv6 networks a mask too, written as an address.
fn cidrnetmask_by(rules: Rules) -> Function {
    on_prefix("cidrnetmask", "Gives the mask of a network in dotted form.")
        .returns(Type::String)
        .implementation(move |invocation, args| {
            let network = Network::argument(invocation, args, rules)?;
            let Network { address, bits, prefix } = network;
            if rules == Rules::Lenient && bits == 128 && !is_mapped(address, bits) {
                return fail(format!("IPv6 addresses cannot have a netmask: {:?}", shown(text(args, 0))));
            }
            Ok(Value::string(address_text(mask(prefix, bits), bits)))
        })
}

/// `cidrsubnet(prefix, newbits, netnum)`
pub(crate) fn cidrsubnet() -> Function {
    cidrsubnet_by(Rules::Lenient)
}

/// `cidrsubnet(prefix, newbits, netnum)` with numbers of 64 bits and at most 32 new bits.
pub(crate) fn cidrsubnet_strict() -> Function {
    cidrsubnet_by(Rules::Strict)
}

fn cidrsubnet_by(rules: Rules) -> Function {
    on_prefix("cidrsubnet", "Gives a network inside a network, by number.")
        .parameter(
            Parameter::new("newbits", Type::Number).described("By how many bits the prefix becomes longer."),
        )
        .parameter(
            Parameter::new("netnum", Type::Number)
                .described("The number of the network among those of its size, from 0."),
        )
        .returns(Type::String)
        .implementation(move |invocation, args| {
            let newbits = whole(args, 1, "newbits")?;
            let netnum = whole_number(args, 2, "netnum", rules)?;
            let network = Network::argument(invocation, args, rules)?;
            if rules == Rules::Strict && newbits > 32 {
                return fail("may not extend prefix by more than 32 bits");
            }
            subnet(&network, newbits, &netnum)
        })
}

/// The text of a network inside a network. Negative `newbits` make the prefix shorter, as in the reference, which
/// prints `<nil>` for one shorter than nothing.
fn subnet(network: &Network, newbits: i64, netnum: &BigInt) -> Outcome {
    // A sum that overflows comes out below zero.
    let prefix = i64::from(network.prefix).wrapping_add(newbits);
    if prefix > i64::from(network.bits) {
        let old = network.prefix;
        return fail(format!("insufficient address space to extend prefix of {old} by {newbits}"));
    }
    // Fewer than no bits count as 64, and more than 64 are not checked either.
    let highest = match u32::try_from(newbits) {
        Ok(newbits @ 0..64) => (1 << newbits) - 1,
        _ => u64::MAX,
    };
    if low_bits(netnum) > highest {
        return fail(format!(
            "prefix extension of {newbits} does not accommodate a subnet numbered {netnum}"
        ));
    }
    let Ok(prefix) = u32::try_from(prefix) else {
        return match netnum.sign() {
            Sign::NoSign => Ok(Value::string("<nil>")),
            _ => fail(format!("the prefix cannot be shortened by {} bits", newbits.unsigned_abs())),
        };
    };
    match network.with_number(netnum, prefix) {
        Some(address) => Ok(Value::string(Network { address, bits: network.bits, prefix }.to_text())),
        None => fail(format!("the subnet numbered {netnum} is outside of the address space")),
    }
}

/// `cidrsubnets(prefix, newbits...)`
pub(crate) fn cidrsubnets() -> Function {
    cidrsubnets_by(Rules::Lenient)
}

/// `cidrsubnets(prefix, newbits...)`, octets without leading zeros.
pub(crate) fn cidrsubnets_strict() -> Function {
    cidrsubnets_by(Rules::Strict)
}

/// Builds `cidrsubnets`. Each network begins at the first address behind the one before it that is a multiple of its
/// own size.
fn cidrsubnets_by(rules: Rules) -> Function {
    on_prefix("cidrsubnets", "Gives networks inside a network, one after the other.")
        .variadic(
            Parameter::new("newbits", Type::Number)
                .described("By how many bits the prefix of each network becomes longer, from 1 to 32."),
        )
        .returns(Type::list(Type::String))
        .implementation(move |invocation, args| {
            let network = Network::argument(invocation, args, rules).map_err(|error| match error.limit {
                Some(_) => error,
                None => FunctionError::argument(0, error.detail.clone()),
            })?;
            let mut subnets = Vec::new();
            let mut last: Option<Network> = None;
            for position in 1..args.len() {
                invocation.charge_elements(1)?;
                invocation.meter().hold_push(&subnets)?;
                let next = next_subnet(&network, last.as_ref(), subnet_prefix(&network, args, position)?);
                subnets.push(match &next {
                    Ok(next) => Value::string(next.to_text()),
                    Err(after) => return refuse(position, after.clone()),
                });
                last = next.ok();
            }
            invocation.meter().hold_parts(subnets.len(), size_of::<Value>())?;
            Ok(Value::list(Type::String, subnets))
        })
}

/// The prefix length that one of the arguments of `cidrsubnets` asks for, with the checks that need no other network.
fn subnet_prefix(network: &Network, args: &[Value], position: usize) -> Result<u32, FunctionError> {
    let Some(newbits) = number(args, position).to_i64() else { return refuse(position, WHOLE_NUMBER) };
    let newbits = match u32::try_from(newbits) {
        Ok(newbits @ 1..=32) => newbits,
        Ok(33..) => return refuse(position, "may not extend prefix by more than 32 bits"),
        _ => return refuse(position, "must extend prefix by at least one bit"),
    };
    let prefix = network.prefix + newbits;
    match prefix > network.bits {
        true => {
            let version = if network.bits == 32 { "IPv4" } else { "IPv6" };
            let detail =
                format!("would extend prefix to {prefix} bits, which is too long for an {version} address");
            refuse(position, detail)
        }
        false => Ok(prefix),
    }
}

/// The first free network of so many bits behind the one given last. The reference
/// takes a network that starts at the very first address for one that is used up, since
/// it steps on from the address before.
fn next_subnet(network: &Network, last: Option<&Network>, prefix: u32) -> Result<Network, String> {
    let all = mask(network.bits, network.bits);
    let before = last.map_or(network.address.wrapping_sub(1) & all, Network::last);
    let size = 1_u128 << (network.bits - prefix);
    let address = (before & mask(prefix, network.bits)).wrapping_add(size) & all;
    if address == 0 || !network.contains(address) || is_mapped(network.address, network.bits) {
        let after = last.unwrap_or(network).to_text();
        return Err(format!(
            "not enough remaining address space for a subnet with a prefix of {prefix} bits after {after}"
        ));
    }
    Ok(Network { address, bits: network.bits, prefix })
}

/// `cidrcontains(containing_prefix, contained_ip_or_prefix)`
pub(crate) fn cidrcontains() -> Function {
    function("cidrcontains", "Tells whether a network contains an address or another network.")
        .parameter(
            Parameter::new("containing_prefix", Type::String)
                .described("The network that may contain the other, in CIDR notation."),
        )
        .parameter(
            Parameter::new("contained_ip_or_prefix", Type::String)
                .described("An address, or a network in CIDR notation."),
        )
        .returns(Type::Bool)
        .implementation(|invocation, args| {
            let network = Network::argument(invocation, args, Rules::Lenient)?;
            let written = text(args, 1);
            let short = shortened(invocation, written)?;
            let inner = match short.contains('/') {
                true => Network::parse(&short, Rules::Lenient),
                false => parse_address(&short, Rules::Lenient).map(|(address, bits)| Network {
                    address,
                    bits,
                    prefix: bits,
                }),
            };
            let Some(inner) = inner else {
                return refuse(1, format!("invalid IP address or prefix: {:?}", shown(written)));
            };
            if inner.bits != network.bits {
                return fail(format!(
                    "address family mismatch: {:?} vs. {:?}",
                    shown(text(args, 0)),
                    shown(written)
                ));
            }
            Ok(Value::bool(network.contains(inner.address) && network.contains(inner.last())))
        })
}
