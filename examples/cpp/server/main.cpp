// server - prices of orders, asked by many clients at once.
//
//   server SOCKET PRICING [THREADS]
//
// One thread compiles the two expressions of PRICING; all threads share the programs, and each has a frame of its own,
// with a limit on the steps that one order may take: however long an order is, no thread is busy with it for long.
//
// A request is an order as JSON on one line, the answer is the price as JSON, or what is wrong. SIGTERM ends the server.
#include <hcl.hpp>

#include <atomic>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <mutex>
#include <sstream>
#include <thread>
#include <vector>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace {

// What all threads share: it never changes after it was made.
class pricing {
public:
    static hcl::result<pricing> load(const char *name)
    {
        std::ifstream in(name, std::ios::binary);
        if (!in) return hcl::error(HCL_ERR_NOT_FOUND, std::string(name) + " can't be read");
        std::stringstream text;
        text << in.rdbuf();
        auto file = hcl::file::parse(name, text.str());
        if (!file) return file.error();
        return compile(file->body());
    }

    hcl::result<std::string> price(hcl::frame &frame, std::string_view request) const
    {
        auto given = hcl::value::json(request);
        if (!given) return given.error();
        frame.set(order_, *given).value();
        auto sum = sum_.eval(frame);
        if (!sum) return sum.error();
        frame.set(total_, *sum).value();
        return price_.eval(frame).and_then([](const hcl::value &v) { return v.json(); }).transform(
            [](const hcl::buffer &text) { return text.str(); });
    }

    hcl::frame make_frame() const
    {
        hcl::frame frame = hcl::frame::make(scope_).value();
        hcl::limits limits;
        limits.max_steps = 5000;
        limits.timeout = std::chrono::seconds(1);
        frame.set_limits(limits).value();
        return frame;
    }

private:
    static hcl::result<pricing> compile(hcl::body_view body)
    {
        pricing made;
        auto names = hcl::scope_builder::make().value();
        names.builtins(HCL_BUILTINS_TERRAFORM).value();
        made.order_ = names.slot("order").value();
        made.total_ = names.slot("local.total").value();
        made.scope_ = std::move(names).seal().value();
        for (auto [name, program] : {std::pair("total", &made.sum_), std::pair("price", &made.price_)}) {
            hcl::attribute attribute = body.attribute(name);
            if (!attribute) return hcl::error(HCL_ERR_NOT_FOUND, std::string("there is no \"") + name + '"');
            auto compiled = hcl::program::compile(attribute.expression(), made.scope_);
            if (!compiled) return compiled.error();
            *program = std::move(*compiled);
        }
        return made;
    }

    hcl::slot order_, total_;
    hcl::scope scope_;
    hcl::program sum_, price_;
};

// The connections that threads are busy with, to wake them at the end.
class connections {
public:
    bool add(int fd)
    {
        std::lock_guard lock(mutex_);
        if (!ended_) open_.push_back(fd);
        return !ended_;
    }
    void remove(int fd)
    {
        std::lock_guard lock(mutex_);
        for (int &known : open_)
            if (known == fd) known = -1;
    }
    void end()
    {
        std::lock_guard lock(mutex_);
        ended_ = true;
        for (int fd : open_)
            if (fd >= 0) shutdown(fd, SHUT_RDWR);
    }

private:
    std::mutex mutex_;
    std::vector<int> open_;
    bool ended_ = false;
};

std::string one_line(std::string text)
{
    for (char &c : text)
        if (c == '\n') c = ' ';
    return text + '\n';
}

std::string answer(const pricing &prices, hcl::frame &frame, std::string_view request)
{
    auto price = prices.price(frame, request);
    if (price) return *price + '\n';
    if (price.code() == HCL_ERR_LIMIT) return "refused: the order is too long\n";
    const hcl::diagnostics &diags = price.error().diags();
    if (diags.empty()) return one_line("refused: " + price.error().message());
    return one_line("refused: " + std::string(diags[0].summary()) + ". " + std::string(diags[0].detail_text()));
}

void converse(const pricing &prices, hcl::frame &frame, int fd)
{
    std::string heard;
    char piece[4096];
    for (ssize_t n; (n = read(fd, piece, sizeof piece)) > 0;) {
        heard.append(piece, static_cast<std::size_t>(n));
        for (std::size_t end; (end = heard.find('\n')) != std::string::npos; heard.erase(0, end + 1)) {
            std::string said = answer(prices, frame, std::string_view(heard).substr(0, end));
            if (send(fd, said.data(), said.size(), MSG_NOSIGNAL) < 0) return;
        }
        if (heard.size() > 1 << 20) return; // no order is that long
    }
}

int listen_on(const char *path)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0 || std::strlen(path) >= sizeof address.sun_path) return -1;
    std::strcpy(address.sun_path, path);
    unlink(path);
    if (bind(fd, reinterpret_cast<sockaddr *>(&address), sizeof address) != 0 || listen(fd, 64) != 0) return -1;
    return fd;
}

} // namespace

int main(int argc, char **argv)
try {
    if (argc < 3) {
        std::cerr << "usage: " << argv[0] << " SOCKET PRICING [THREADS]\n";
        return 2;
    }
    // Signals are for this thread alone: the others inherit that they are blocked.
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);

    const pricing prices = pricing::load(argv[2]).value();
    const int listener = listen_on(argv[1]);
    if (listener < 0) {
        std::perror(argv[1]);
        return 1;
    }
    connections open;
    std::vector<std::thread> threads;
    const int n_threads = argc > 3 ? std::stoi(argv[3]) : 4;
    for (int i = 0; i < n_threads; i++)
        threads.emplace_back([&] {
            hcl::frame frame = prices.make_frame();
            for (int fd; (fd = accept(listener, nullptr, nullptr)) >= 0;) {
                if (open.add(fd)) converse(prices, frame, fd);
                open.remove(fd);
                close(fd);
            }
        });
    std::cerr << "server: " << n_threads << " threads" << std::endl;

    int number = 0;
    sigwait(&ends, &number);
    shutdown(listener, SHUT_RDWR);
    open.end();
    for (std::thread &thread : threads) thread.join();
    close(listener);
    unlink(argv[1]);
    return 0;
} catch (const std::exception &e) {
    std::cerr << e.what() << '\n';
    return 1;
}
