//! `rsadecrypt`, with a key that is made here.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hcl_eval::dialect;
use rsa::pkcs1::EncodeRsaPrivateKey;
use rsa::pkcs8::EncodePrivateKey;
use rsa::rand_core::{CryptoRng, RngCore};
use rsa::traits::{PrivateKeyParts, PublicKeyParts};
use rsa::{BigUint, Pkcs1v15Encrypt, RsaPrivateKey, RsaPublicKey};
use ssh_key::private::{RsaKeypair, RsaPrivateKey as SshPrivate};
use ssh_key::public::RsaPublicKey as SshPublic;
use ssh_key::{LineEnding, Mpint, PrivateKey};

use super::support::in_dialect;

/// Good enough for a key that protects nothing.
struct XorShift(u64);

impl RngCore for XorShift {
    fn next_u32(&mut self) -> u32 {
        u32::try_from(self.next_u64() >> 32).unwrap_or(0)
    }

    fn next_u64(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn fill_bytes(&mut self, dest: &mut [u8]) {
        for byte in dest {
            *byte = self.next_u64().to_be_bytes()[0];
        }
    }

    fn try_fill_bytes(&mut self, dest: &mut [u8]) -> Result<(), rsa::rand_core::Error> {
        self.fill_bytes(dest);
        Ok(())
    }
}

impl CryptoRng for XorShift {}

fn openssh(key: &RsaPrivateKey) -> String {
    let number = |number: &BigUint| Mpint::from_positive_bytes(&number.to_bytes_be()).expect("positive");
    let [p, q] = key.primes() else { panic!("two primes") };
    let inverse = key.crt_coefficient().expect("primes");
    let pair = RsaKeypair {
        public: SshPublic { e: number(key.e()), n: number(key.n()) },
        private: SshPrivate { d: number(key.d()), iqmp: number(&inverse), p: number(p), q: number(q) },
    };
    let key = PrivateKey::new(pair.into(), "").expect("a key");
    key.to_openssh(LineEnding::LF).expect("a text").to_string()
}

#[test]
fn three_forms_of_one_key() {
    let mut random = XorShift(0x9e37_79b9_7f4a_7c15);
    let key = RsaPrivateKey::new(&mut random, 768).expect("a key");
    let block = |tag: &str, bytes: &[u8]| pem::encode(&pem::Pem::new(tag, bytes));
    let pkcs1 = block("RSA PRIVATE KEY", key.to_pkcs1_der().expect("DER").as_bytes());
    let pkcs8 = block("PRIVATE KEY", key.to_pkcs8_der().expect("DER").as_bytes());
    let public = RsaPublicKey::from(&key);
    let encrypted = public.encrypt(&mut random, Pkcs1v15Encrypt, "sésame".as_bytes()).expect("a short text");
    let encrypted = STANDARD.encode(encrypted);
    let call = |key: &str| format!("rsadecrypt({encrypted:?}, {key:?})");
    let (terraform, packer) = (dialect::terraform(), dialect::packer());
    // The first line of the block lies across two stretches of the search.
    let far = format!("{}\n{pkcs1}", "x".repeat(32_762));
    for text in [&pkcs1, &pkcs8, &openssh(&key), &format!("Bag Attributes\n\n{pkcs1}"), &far] {
        assert_eq!(in_dialect(&terraform, &call(text)), "\"sésame\"", "{text}");
    }
    assert_eq!(in_dialect(&packer, &call(&pkcs1)), "\"sésame\"");
    assert_eq!(in_dialect(&packer, &call(&pkcs8)), "error: Error in function call");
    let other = RsaPrivateKey::new(&mut random, 768).expect("a key");
    let other = block("RSA PRIVATE KEY", other.to_pkcs1_der().expect("DER").as_bytes());
    assert_eq!(in_dialect(&terraform, &call(&other)), "error: Error in function call");
    let protected = pkcs1.replacen("\r\n", "\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n", 1);
    for text in ["", "no key", &protected, &block("EC PRIVATE KEY", b"x"), &block("RSA PRIVATE KEY", b"x")] {
        assert_eq!(in_dialect(&terraform, &call(text)), "error: Invalid function argument", "{text}");
    }
    let whole = pem::parse(openssh(&key)).expect("a text").into_contents();
    let places = |text: &[u8]| {
        let all = whole.windows(text.len()).enumerate().filter(|(_, part)| *part == text);
        all.map(|(at, _)| at).collect::<Vec<_>>()
    };
    // The name of the cipher, the second of two numbers, the name of what is private.
    let (cipher, private) = (places(b"none")[0], places(b"ssh-rsa")[1]);
    for change in [0, cipher, private - 5, private + 6] {
        let mut changed = whole.clone();
        changed[change] ^= 1;
        let text = block("OPENSSH PRIVATE KEY", &changed);
        assert_eq!(in_dialect(&terraform, &call(&text)), "error: Invalid function argument", "{change}");
    }
    for end in (0..whole.len() - 16).step_by(9) {
        let text = block("OPENSSH PRIVATE KEY", &whole[..end]);
        assert_eq!(in_dialect(&terraform, &call(&text)), "error: Invalid function argument", "{end}");
    }
    assert_eq!(
        in_dialect(&terraform, &format!("rsadecrypt(\"!\", {pkcs1:?})")),
        "error: Invalid function argument"
    );
}
