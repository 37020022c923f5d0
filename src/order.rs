//! Sorting with one instance of the algorithm for all types.
//!
//! The standard library compiles its sorts anew for each type: dozens of them took a tenth of the WebAssembly. What is
//! sorted here are places, and elements are then moved once. For hashes by the thousand the standard sorts stay.

use std::cmp::Ordering;

/// The stable sorts of a slice.
pub(crate) trait Ordered<T> {
    /// Sorts by the order of the type, as `sort` does.
    fn order(&mut self)
    where
        T: Ord;

    /// Sorts by a comparison, as `sort_by` does.
    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering);

    /// Sorts by a key, as `sort_by_key` does.
    fn order_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        self.order_by(|a, b| key(a).cmp(&key(b)));
    }
}

impl<T> Ordered<T> for [T] {
    fn order(&mut self)
    where
        T: Ord,
    {
        self.order_by(T::cmp);
    }

    fn order_by(&mut self, compare: impl Fn(&T, &T) -> Ordering) {
        let mut from = places(self.len(), &|a, b| match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => compare(a, b),
            _ => Ordering::Equal,
        });
        // Every cycle of the permutation is followed once; a place that is done stands for itself.
        for start in 0..self.len() {
            let mut at = start;
            while let Some(place) = from.get_mut(at) {
                let next = std::mem::replace(place, at);
                if next == start || next == at {
                    break;
                }
                self.swap(at, next);
                at = next;
            }
        }
    }
}

/// The places of so many elements, in the order of the elements.
#[inline(never)]
fn places(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut places: Vec<usize> = (0..count).collect();
    places.sort_by(|a, b| compare(*a, *b));
    places
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn orders_as_the_standard_library_does(list: Vec<(u8, String)>) {
            let mut by_key = list.clone();
            by_key.sort_by_key(|(key, _)| key % 4);
            let mut ours = list.clone();
            ours.order_by_key(|(key, _)| key % 4);
            prop_assert_eq!(&ours, &by_key);
            ours.order();
            let mut sorted = list;
            sorted.sort();
            prop_assert_eq!(ours, sorted);
        }
    }
}
