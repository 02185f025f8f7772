#include "parallel.hpp"

#include <system_error>
#include <utility>

namespace planetree {

Workers::Workers(std::size_t n_threads) {
    try {
        for (std::size_t i = 1; i < n_threads; ++i) threads_.emplace_back([this, i] { serve(i); });
    } catch (const std::system_error&) {
        // Fewer threads than asked for do the same work.
    }
}

Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        closing_ = true;
    }
    called_.notify_all();
    for (auto& thread : threads_) thread.join();
}

void Workers::run(std::size_t n_tasks, const std::function<void(std::size_t, std::size_t)>& work) {
    if (threads_.empty() || n_tasks == 1) {
        for (std::size_t task = 0; task < n_tasks; ++task) work(0, task);
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        work_ = &work;
        n_tasks_ = n_tasks;
        next_ = 0;
        busy_ = threads_.size();
        ++call_;
    }
    called_.notify_all();
    take_tasks(0);
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return busy_ == 0; });
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void Workers::serve(std::size_t worker) {
    std::size_t served = 0;
    std::unique_lock lock(mutex_);
    for (;;) {
        called_.wait(lock, [&] { return closing_ || call_ != served; });
        if (closing_) return;
        served = call_;
        lock.unlock();
        take_tasks(worker);
        lock.lock();
        if (--busy_ == 0) finished_.notify_one();
    }
}

void Workers::take_tasks(std::size_t worker) {
    try {
        for (std::size_t task; (task = next_++) < n_tasks_;) (*work_)(worker, task);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::current_exception();
        next_ = n_tasks_;
    }
}

}  // namespace planetree
