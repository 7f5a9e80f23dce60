// gatewayd - a small gateway's configuration in C++: the same file as that of examples/c/gatewayd.
//
//   gatewayd CONFIG...
//
// Reads each CONFIG in turn, and prints what it means or everything that is wrong with it: what the library finds and what the
// gateway finds, in one list, each at its place.
#include <hcl.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

namespace {

struct listener {
    std::string address;
    double port = 0;
    bool tls = false;
};

struct rule {
    std::string name, action;
    hcl::program when;
};

struct config {
    std::map<std::string, listener> listeners;
    std::map<std::string, std::vector<std::string>> upstreams;
    std::vector<rule> rules;
    hcl::scope names;
    hcl::slot request, local;
};

// Blocks evaluated for their values. The conditions of `acl` blocks are compiled instead, and `locals` come first.
const char *const layout = R"(
object {
  block_map "listener" {
    labels = ["name"]
    object {
      attr "address" {
        type     = string
        required = true
      }
      attr "port" {
        type     = number
        required = true
      }
      default "tls" {
        attr {
          name = "tls"
          type = bool
        }
        literal {
          value = false
        }
      }
      attr "notice" {
        type = string
      }
    }
  }
  block_map "upstream" {
    labels = ["name"]
    object {
      attr "servers" {
        type     = list(string)
        required = true
      }
      attr "timeout" {
        type     = number
        required = true
      }
    }
  }
}
)";

// Adds what is wrong to the list, and gives the value, if there is one.
template <class T> std::optional<T> told(hcl::result<T> read, hcl::diagnostics &wrong)
{
    if (read) return std::move(*read);
    wrong.append(read.error().diags());
    return std::nullopt;
}

std::string env(std::string_view name, std::string fallback)
{
    const char *found = std::getenv(std::string(name).c_str());
    return found != nullptr ? found : fallback;
}

// A frame with limits on each expression of a configuration, when it is loaded and for each request: a mistake in a rule must not
// stop the gateway.
hcl::frame frame_for(const hcl::scope &names)
{
    hcl::limits most;
    most.max_steps = 100'000;
    most.max_memory = 16 << 20;
    most.timeout = std::chrono::seconds(1);
    auto frame = hcl::frame::make(names).value();
    frame.set_limits(most).value();
    return frame;
}

void read_locals(const hcl::body_view &file, config &into, hcl::frame &frame, hcl::diagnostics &wrong)
{
    auto locals = hcl::definitions::make("local").value();
    for (hcl::block block : file.blocks())
        if (block.type() == "locals")
            for (hcl::attribute one : block.body().attributes()) locals.add(one).value();
    // Values that depend on wrong locals are not wrong themselves.
    auto values = told(locals.eval(frame), wrong);
    frame.set(into.local, values ? std::move(*values) : hcl::value::unknown().value()).value();
}

void read_rules(const hcl::body_view &blocks, config &into, hcl::frame &frame, hcl::diagnostics &wrong)
{
    static const hcl::schema of_rule = hcl::schema::parse("action = required\nwhen = required\n").value();
    for (hcl::block block : blocks.blocks()) {
        if (block.type() != "acl") continue;
        auto read = told(block.body().content(of_rule), wrong);
        if (!read) continue;
        auto action = told(read->content.attribute("action").eval(frame), wrong);
        auto when = told(hcl::program::compile(read->content.attribute("when").expression(), into.names), wrong);
        if (action && when)
            into.rules.push_back({std::string(block.label(0)), action->as<std::string>().value_or(""), std::move(*when)});
    }
}

void read_blocks(const hcl::body_view &body, config &into, hcl::frame &frame, hcl::diagnostics &wrong)
{
    static const hcl::spec spec = hcl::spec::parse(layout).value();
    auto decoded = told(spec.decode(body, frame), wrong);
    if (!decoded) return;
    hcl::value_view listeners = (*decoded)["listener"], upstreams = (*decoded)["upstream"];
    for (auto [name, block] : listeners.entries()) {
        if (!block.is_wholly_known()) continue; // depends on what is wrong already
        into.listeners[std::string(name)] = {block["address"].as<std::string>().value(), block["port"].as<double>().value(),
                                             block["tls"].as<bool>().value()};
    }
    for (auto [name, block] : upstreams.entries())
        if (block.is_wholly_known()) into.upstreams[std::string(name)] = block["servers"].as<std::vector<std::string>>().value();
}

// The gateway's own rules for a port. Ports that are no numbers have been complained of.
void check_ports(const hcl::body_view &file, hcl::frame &frame, hcl::diagnostics &wrong)
{
    for (hcl::block block : file.blocks()) {
        hcl::attribute port = block.body().attribute("port");
        if (block.type() != "listener" || !port) continue;
        auto value = port.eval(frame);
        double number = value ? value->as<double>().value_or(0) : 0;
        if (number >= 65536)
            wrong.add(hcl::complaint("gatewayd.range", "Number out of range", "port must be below 65536.")
                          .at({port, HCL_PLACE_VALUE}));
    }
}

// The configuration of a file, or everything that is wrong with it.
hcl::result<config> load(const std::string &name)
{
    std::ifstream in(name, std::ios::binary);
    if (!in) return hcl::error(HCL_ERR_NOT_FOUND, name + " can't be read\n");
    std::stringstream text;
    text << in.rdbuf();
    auto file = hcl::file::parse_partial(name, text.str());
    hcl::diagnostics wrong = std::move(file.diags);

    config read;
    auto names = hcl::scope_builder::make().value();
    names.builtins(HCL_BUILTINS_TERRAFORM).value();
    names.add(hcl::function("env", env).parameters({"name", "default"})).value();
    read.request = names.slot("request").value();
    read.local = names.slot("local").value();
    read.names = std::move(names).seal().value();
    auto frame = frame_for(read.names);

    static const hcl::schema split = hcl::schema::parse("locals {}\nacl \"name\" {}\n").value();
    auto parts = file.tree.body().content_partial(split, HCL_CONTENT_PARTIAL);
    wrong.append(parts.diags);
    read_locals(parts.tree.content, read, frame, wrong);
    read_rules(parts.tree.content, read, frame, wrong);
    read_blocks(parts.tree.rest, read, frame, wrong);
    check_ports(file.tree.body(), frame, wrong);
    if (!wrong.has_errors()) return read;
    wrong.sort();
    return hcl::error(HCL_ERR_DIAGNOSTICS, {}, std::move(wrong));
}

// The answer of the first rule whose condition holds.
std::string decide(const config &by, const std::map<std::string, std::string> &request)
{
    auto frame = frame_for(by.names);
    frame.set(by.request, request).value();
    for (const rule &one : by.rules)
        if (one.when.eval_bool(frame).value_or(false)) return one.action + " (" + one.name + ")";
    return "deny (no rule)";
}

} // namespace

int main(int argc, char **argv)
{
    int status = 0;
    for (int i = 1; i < argc; i++) {
        auto read = load(argv[i]);
        if (!read) {
            std::cerr << read.error();
            if (i == 1) status = 1; // a later one that is broken does not count
            continue;
        }
        for (const auto &[name, one] : read->listeners)
            std::cout << "listener " << name << " " << one.address << ':' << one.port << (one.tls ? " (tls)" : "") << '\n';
        for (const auto &[name, servers] : read->upstreams) std::cout << "upstream " << name << " of " << servers.size() << '\n';
        std::cout << "GET /healthz: " << decide(*read, {{"method", "GET"}, {"path", "/healthz"}}) << '\n';
    }
    return status;
}
